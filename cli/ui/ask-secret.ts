import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Swallows what would be shown of the typing. */
const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() })

/** Asks for a text that nobody may read over the shoulder; undefined after Ctrl+C. */
export async function askSecret(question: string, signal: AbortSignal): Promise<string | undefined> {
  process.stderr.write(question)
  const reader = createInterface({ input: process.stdin, output: nowhere(), terminal: true })
  const interrupted = new AbortController()
  reader.on('SIGINT', () => interrupted.abort())
  // Ctrl+D, and a terminal that was closed.
  reader.on('close', () => interrupted.abort())
  try {
    return await reader.question('', { signal: AbortSignal.any([signal, interrupted.signal]) })
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return undefined
    throw error
  } finally {
    reader.close()
    process.stderr.write('\n')
  }
}
