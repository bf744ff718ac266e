declare namespace App {
  interface Locals {
    /** The requested route, for the log. */
    route: string
    /** The caller and the time, which every operation takes. */
    call: import('#db/call.ts').Call
    /** The session token of a signed-in caller. */
    token?: string | undefined
    mode: import('#site/server/access/site-state.ts').Mode
    /** Whether the site is in open mode, in which every page has a banner. */
    open: boolean
    /** The network of the request, for limits. */
    network: string
    /** Whether the request comes from the computer on which the site runs. Undefined for kept pages. */
    isHere?: () => boolean
    /** How many RSVPs a network may send. */
    allowance: import('#db/values/limits.ts').Allowance | undefined
    /** Why a private link was not sent by mail. */
    refusedLink?: { email: string; message: string; status: number }
    /** Whether a mail server is set. */
    sendsMail?: boolean
    /** Scheme and host of links to this site, e.g. https://rsvp.example.org. */
    origin: string
    /** Undefined on the error page, which reads nothing. */
    church?: Awaited<ReturnType<typeof import('#site/server/church.ts').loadChurch>>
    /** The translated texts of the church; undefined if they could not be read. */
    translation?: import('#db/event.ts').FoundTranslation | undefined
    /** The public address of the site. */
    publicUrl: import('#site/server/access/site-state.ts').PublicUrl
    language: import('#db/values/languages.ts').Language
    /** Node's reply, which is destroyed once it ends or the client disconnects. */
    reply: import('node:http').ServerResponse
    /** Whether the reply is sent while it is generated. Others are sent whole, with their length. */
    isStreamed?: true
    /** Whether the request need not wait until it may render a page. */
    hasTurn?: true
    /** A form posted without JavaScript, which the page shows again. */
    returnedForm?: import('#site/stores/rsvp-form.ts').ReturnedForm
    /** Whether a form was posted for another RSVP than that of the private link opened last. */
    otherLink?: true
    /** A refused form with a password: why it was refused, and what else was typed. */
    returnedSignIn?: {
      status: number
      notice: string
      errors?: import('#db/values/errors.ts').FieldError[] | undefined
      typed?: Record<string, string>
    }
  }
}
