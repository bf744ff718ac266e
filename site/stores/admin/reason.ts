import { ResponseError } from '#site/lib/request.ts'
import { said } from '#site/texts/said.ts'

/** Why a call failed: the sentence of the server, or for a passkey that of the browser, or else this one. */
export function reasonOr(otherwise: string): (error: unknown) => string {
  return (error) => {
    if (error instanceof ResponseError) return said(error.fields[0]?.message ?? error.detail ?? otherwise)
    // By its name: the class comes with the code for passkeys, which is loaded on demand.
    return error instanceof Error && Object(error.cause).name === 'PasskeyError' ? error.message : otherwise
  }
}
