/**
 * Thrown when a message is not authentic: a wrong tag, key, IV or AAD, or a ciphertext that was altered or cut.
 * The cases cannot be told apart (NIST SP 800-38D clause 7.2), and the error carries no byte of the message.
 */
export class AuthenticationError extends Error {
  /** Stable identifier, for code that meets errors of another copy of this library. */
  readonly code = "EVARISTE_AUTHENTICATION";
  override readonly name = "AuthenticationError";

  constructor(message = "the message is not authentic: wrong key, IV, AAD or tag, or altered ciphertext") {
    super(message);
  }
}

/** Thrown when a call comes at the wrong time: AAD after text, anything after `finish` or `destroy`. */
export class StateError extends Error {
  /** Stable identifier, for code that meets errors of another copy of this library. */
  readonly code = "EVARISTE_STATE";
  override readonly name = "StateError";
}
