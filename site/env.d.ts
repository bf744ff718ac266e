declare namespace App {
  interface Locals {
    /** The requested route, for the log. */
    route: string
    /** The caller and the time, which every operation takes. */
    call: import('#db/call.ts').Call
    /** The session token of a signed-in caller. */
    token?: string | undefined
    mode: import('#site/server/access/site-state.ts').Mode
    /** Whether this request is in open mode; every page says so. */
    open: boolean
    /** The network of the request, for limits. */
    network: string
    /** Whether the caller sits at the computer on which the site runs. Undefined for pages that are rendered for many. */
    isHere?: () => boolean
    /** How many RSVPs a network may send. */
    allowance: import('#db/values/allowance.ts').Allowance | undefined
    /** Why no private link is sent by mail. */
    refusedLink?: { email: string; message: string; status: number }
    /** Whether a mail server is set. */
    sendsMail?: boolean
    /** Scheme and host of the links we hand out, e.g. https://rsvp.example.org. */
    origin: string
    /** undefined on the error page, which reads nothing. */
    church?: Awaited<ReturnType<typeof import('#site/server/church.ts').loadChurch>>
    /** The church's own texts in the language of the page; undefined if they could not be read. */
    translation?: import('#db/event.ts').FoundTranslation | undefined
    /** The address that people use, and whether another one leads to this site. */
    publicUrl: import('#site/server/access/site-state.ts').PublicUrl
    language: import('#db/values/languages.ts').Language
    /** Node's own reply: destroyed once it ends or the client disconnects. */
    reply: import('node:http').ServerResponse
    /** The reply is sent while it is generated. Others are sent whole, with their length. */
    isStreamed?: true
    /** A page is already being rendered for this request. */
    hasTurn?: true
    /** A form posted without JavaScript, which the page shows again. */
    returnedForm?: import('#site/stores/rsvp-form.ts').ReturnedForm
    /** A form was posted for a different RSVP than that of the private link opened last. */
    otherLink?: true
    /** A form with a password that was refused: why, and what else was typed. */
    returnedSignIn?: {
      status: number
      notice: string
      errors?: import('#db/values/errors.ts').FieldError[] | undefined
      typed?: Record<string, string>
    }
  }
}
