import { askForPasskey, makePasskey, PasskeyError } from '#site/lib/passkeys.ts'
import { request } from '#site/lib/request.ts'
import { passkeySentences } from './passkey-sentences.ts'

/** Makes a passkey of the caller. @throws ResponseError, or an Error whose message is a translated sentence. */
export async function addPasskey(name: string): Promise<void> {
  const passkey = await makePasskey().catch(tell)
  await request('POST /api/passkeys', { body: { name, passkey } })
}

/** @throws ResponseError, e.g. for the only way to sign in. */
export async function removePasskey(id: string): Promise<void> {
  await request(`DELETE /api/passkeys/${encodeURIComponent(id)}`)
}

/** Gives a passkey once more, for what needs a recent proof. @throws as `addPasskey` does. */
export async function proveWithPasskey(): Promise<void> {
  const passkey = await askForPasskey().catch(tell)
  await request('POST /api/session/proof', { body: { passkey } })
}

function tell(error: unknown): never {
  throw error instanceof PasskeyError ? new Error(passkeySentences()[error.trouble], { cause: error }) : error
}
