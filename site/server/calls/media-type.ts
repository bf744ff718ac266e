/** What a body says it is, without its parameters, e.g. `application/json`. */
export function mediaType(request: Request): string | undefined {
  return request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
}

/** A form as browsers post it without JavaScript. */
export function isForm(request: Request): boolean {
  return mediaType(request) === 'application/x-www-form-urlencoded'
}
