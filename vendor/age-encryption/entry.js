// What our pages may use of the package; esbuild leaves out what these do not need.
export { armor, Decrypter, Encrypter, generateIdentity, identityToRecipient } from "age-encryption";
