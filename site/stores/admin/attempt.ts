import { atom } from 'nanostores'
import type { PasskeyError, PasskeyTrouble } from '#site/lib/passkeys.ts'
import { ResponseError, request } from '#site/lib/request.ts'
import { addErrorToast, addToast } from '#site/stores/toasts.ts'
import { t } from '#site/texts/texts.ts'

/** Takes the reason why the server refuses a field; is called for each of them. */
export type Refuse = (reason: string, field: string) => void

/** How a page shows that a call failed. */
export type OnFailure = {
  /** Shown if the server gives no reason; without it, that nothing was saved. */
  failure?: string
  /** Shows beside its field why the server refuses it; without this a notice does. */
  refuse?: Refuse | undefined
  /** A dialog covers notices, so its form says any other failure as well: `refuse` gets it for the field `form`. */
  inDialog?: boolean
}

/**
 * Calls `act`. If the server wants a proof, asks for the password or a passkey, then calls it once more.
 * @returns what `act` returns; undefined if it failed, after showing why.
 */
export async function attempt<Result>(
  act: () => Promise<Result>,
  { failure = t('The site could not save it. Please try again.'), refuse, inDialog = false }: OnFailure = {},
): Promise<Result | undefined> {
  try {
    return await withProof(act)
  } catch (error) {
    const refused = error instanceof ResponseError ? error.fields : []
    if (error instanceof ProofCanceledError) return undefined
    if (refuse && refused.length > 0) for (const { message, path } of refused) refuse(message, path)
    else if (refuse && inDialog)
      refuse(reasonOf(error, failure, t('You are no longer signed in. Sign in in another tab.')), 'form')
    else showFailure(reasonOf(error, failure), error)
    return undefined
  }
}

/** Says that an action failed; if the session has ended, offers to sign in again. */
export function showFailure(description: string, error: unknown): void {
  if (!isSignedOut(error)) {
    addErrorToast(description)
    return
  }
  addToast({
    title: t('Error'),
    description: `${description.replace(/\.$/, '')}. ${t('You are no longer signed in.')}`,
    variant: 'destructive',
    action: { label: t('Sign in'), altText: t('Sign in again'), onPress: openSignIn },
  })
}

/** At the same address, so that whoever signs in is back at the same section. */
function openSignIn(): void {
  if (location.pathname === '/admin') location.reload()
  else location.assign('/admin')
}

/** How long a browser may take to begin saving a file, in ms. */
const SAVING_MS = 60_000

/**
 * Downloads what a call replies with, under the name that the server gives it. It is fetched, not opened, so that a
 * refusal is said on this page; the browser keeps a large blob on its disk.
 */
export async function download(
  call: () => Promise<Pick<Response, 'headers' | 'blob'>>,
  usualName: string,
  failure: string,
): Promise<void> {
  await attempt(
    async () => {
      const reply = await call()
      const link = document.createElement('a')
      link.href = URL.createObjectURL(await reply.blob())
      link.download = /filename="([^"]+)"/.exec(reply.headers.get('content-disposition') ?? '')?.[1] ?? usualName
      link.click()
      setTimeout(() => URL.revokeObjectURL(link.href), SAVING_MS)
    },
    { failure },
  )
}

/** Here, because they are the administration's: visitors' pages do not carry them. */
export function passkeySentences(): Record<PasskeyTrouble, string> {
  return {
    canceled: t('No passkey was chosen. Try again, or use a password.'),
    unsupported: t('This browser or device cannot use passkeys. Use a password, or another device.'),
    known: t('This device has a passkey of yours already. Use that one.'),
    failed: t('The passkey could not be used. Try again in a moment, or use a password.'),
  }
}

/**
 * Why a call failed: the sentence of the server, or one about the passkey, or else this one.
 * @param signedOut if the session has ended: the usual notice for that offers to sign in.
 */
function reasonOf(error: unknown, otherwise: string, signedOut = otherwise): string {
  if (isSignedOut(error)) return signedOut
  if (error instanceof ResponseError) return error.fields[0]?.message ?? error.detail ?? otherwise
  return isPasskeyError(error) ? passkeySentences()[error.trouble] : otherwise
}

function isSignedOut(error: unknown): boolean {
  return error instanceof ResponseError && error.status === 401
}

/** By its name: the class comes with the code for passkeys, which is loaded on demand. */
function isPasskeyError(error: unknown): error is PasskeyError {
  return error instanceof Error && error.name === 'PasskeyError'
}

/** The open question for the password or a passkey, and who waits for it. */
export const $proofAsked = atom<{ end: (isGiven: boolean) => void } | undefined>(undefined)

/** The person closed the question: nothing was done, and there is nothing to report. */
class ProofCanceledError extends Error {}

/** Two calls at a time share one question. */
let asking: Promise<boolean> | undefined

/** Makes a call that may need the password or a passkey once more: then asks for it, and repeats the call. */
async function withProof<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ResponseError) || !error.fields.some(({ path }) => path === 'proof')) throw error
    asking ??= new Promise<boolean>((end) => $proofAsked.set({ end })).finally(() => {
      $proofAsked.set(undefined)
      asking = undefined
    })
    if (!(await asking)) throw new ProofCanceledError()
    return call()
  }
}

/** Gives the password, or else lets the browser ask for a passkey. */
export async function prove(password: string | undefined, refuse: Refuse): Promise<void> {
  const give = async () => {
    if (password !== undefined) return request('POST /api/session/proof', { body: { password } })
    const { askForPasskey } = await import('#site/lib/passkeys.ts')
    return request('POST /api/session/proof', { body: { passkey: await askForPasskey() } })
  }
  const failure = t('It could not be checked. Check your connection, then try again.')
  if (await attempt(give, { failure, refuse, inDialog: true })) $proofAsked.get()?.end(true)
}

export function cancelProof(): void {
  $proofAsked.get()?.end(false)
}
