import { attempt, type Telling } from './changeable.ts'

/** How long a browser may take to begin saving a file, in ms. */
const SAVING_MS = 60_000

/**
 * Downloads what a call replies with, under the name that the server gives it. It is fetched, not opened, so that a
 * refusal is said on this page; the browser keeps a large blob on its disk.
 * @returns whether it was handed to the browser.
 */
export async function download(
  call: () => Promise<Pick<Response, 'headers' | 'blob'>>,
  usualName: string,
  telling: Telling,
): Promise<boolean> {
  const save = async () => {
    const reply = await call()
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await reply.blob())
    link.download = /filename="([^"]+)"/.exec(reply.headers.get('content-disposition') ?? '')?.[1] ?? usualName
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), SAVING_MS)
    return true
  }
  return (await attempt(save, telling)) ?? false
}
