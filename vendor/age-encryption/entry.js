// The exports that our pages may use; esbuild drops everything that these do not need.
export { armor, Decrypter, Encrypter, generateIdentity, identityToRecipient } from "age-encryption";
