import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { type Options, request } from './request.ts'

/** Why there is no passkey, as far as the person can do something about it. */
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
 * Makes a passkey, for the call that stores it: of the caller, of the invitation with this key, or of the first owner.
 * @throws PasskeyError, or ResponseError when the server refuses to begin.
 */
export async function makePasskey(owner: Options<'POST /api/passkeys/options'>['body'] = {}): Promise<object> {
  const reply = await request('POST /api/passkeys/options', { body: owner })
  // The package that wrote them on the server reads them here.
  const optionsJSON = (await reply.json()) as unknown as PublicKeyCredentialCreationOptionsJSON
  return startRegistration({ optionsJSON }).catch(explain)
}

/**
 * Lets the person choose a passkey, for a sign-in or a proof.
 * @throws as `makePasskey` does.
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
