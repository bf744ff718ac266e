import { atom } from 'nanostores'
import { ResponseError, request } from '#site/lib/request.ts'
import { t } from '#site/texts/texts.ts'
import { reasonInDialogOr } from './reason.ts'

/** The open question for the password or a passkey, and who waits for it. */
export const $proofAsked = atom<{ end: (isGiven: boolean) => void } | undefined>(undefined)

/** The person closed the question: nothing was done, and there is nothing to report. */
export class ProofCanceledError extends Error {
  override name = 'ProofCanceledError'
}

/** Two calls at a time share one question. */
let asking: Promise<boolean> | undefined

/**
 * Makes a call that may need the password or a passkey once more: then asks for it, and repeats the call.
 * @throws ProofCanceledError when the person closes the question; otherwise what the call throws.
 */
export async function withProof<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ResponseError) || !error.fields.some(({ path }) => path === 'proof')) throw error
    asking ??= ask().finally(() => {
      asking = undefined
    })
    if (!(await asking)) throw new ProofCanceledError()
    return call()
  }
}

/** @returns why it is refused; undefined once it is accepted. */
export function provePassword(password: string): Promise<string | undefined> {
  return prove(() => request('POST /api/session/proof', { body: { password } }))
}

/** The browser asks for the passkey. @returns as `provePassword`. */
export function provePasskey(): Promise<string | undefined> {
  return prove(async () => {
    const { askForPasskey } = await import('#site/lib/passkeys.ts')
    await request('POST /api/session/proof', { body: { passkey: await askForPasskey() } })
  })
}

export function cancelProof(): void {
  $proofAsked.get()?.end(false)
}

async function ask(): Promise<boolean> {
  const isGiven = await new Promise<boolean>((end) => $proofAsked.set({ end }))
  $proofAsked.set(undefined)
  return isGiven
}

async function prove(give: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await give()
    $proofAsked.get()?.end(true)
    return undefined
  } catch (error) {
    return reasonInDialogOr(t('It could not be checked. Check your connection, then try again.'))(error)
  }
}
