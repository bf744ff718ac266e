import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { type Options, request } from './request.ts'

/** Why there is no passkey. */
export type PasskeyTrouble = 'canceled' | 'unsupported' | 'known' | 'failed'

export class PasskeyError extends Error {
  override name = 'PasskeyError'
  readonly trouble: PasskeyTrouble

  constructor(trouble: PasskeyTrouble, cause: unknown) {
    super(trouble, { cause })
    this.trouble = trouble
  }
}

/**
 * Creates a passkey for the caller, or for `owner`: an invitation or the first owner. Another call stores it.
 * @throws PasskeyError, or ResponseError when the server refuses to begin.
 */
export async function makePasskey(owner: Options<'POST /api/passkeys/options'>['body'] = {}): Promise<object> {
  const reply = await request('POST /api/passkeys/options', { body: owner })
  // The same package wrote the options on the server.
  const optionsJSON = (await reply.json()) as unknown as PublicKeyCredentialCreationOptionsJSON
  return startRegistration({ optionsJSON }).catch(explain)
}

/**
 * Asks for a passkey, to sign in or to confirm who is there.
 * @throws PasskeyError, or ResponseError when the server refuses to begin.
 */
export async function askForPasskey(): Promise<object> {
  const reply = await request('POST /api/session/passkey')
  const optionsJSON = (await reply.json()) as unknown as PublicKeyCredentialRequestOptionsJSON
  return startAuthentication({ optionsJSON }).catch(explain)
}

function explain(error: unknown): never {
  throw new PasskeyError(troubleOf(error), error)
}

function troubleOf(error: unknown): PasskeyTrouble {
  if (typeof PublicKeyCredential !== 'function') return 'unsupported'
  if (!(error instanceof WebAuthnError)) return 'failed'
  if (error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'known'
  if (/MISSING|SUPPORTED/.test(error.code)) return 'unsupported'
  return /^(NotAllowed|Abort)Error$/.test(error.name) ? 'canceled' : 'failed'
}
