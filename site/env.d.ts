declare namespace App {
  interface Locals {
    /** The route that was asked for, for the log. */
    route: string
    /** Who is asking, and when: what every operation is called with. */
    call: import('#db/operation.ts').Call
    /** The token of the session that the caller has signed in to; undefined for all others. */
    token?: string | undefined
    mode: import('#site/server/access/mode.ts').Mode
    /** Whether it is open for this request: every page says so. */
    open: boolean
    /** The network of the request, for limits. */
    network: string
    /** How many RSVPs a network may send. */
    allowance: import('#db/config/setting-values.ts').Allowance | undefined
    /** Scheme and host of the links we hand out, e.g. https://rsvp.example.org. */
    origin: string
    /** What every page shows of the church; undefined on the error page, for which nothing is read. */
    church?: import('#site/server/church/church.ts').ShownChurch
    /** The church's own texts in the language of the page; undefined where they could not be read. */
    translation?: import('#db/event/translations.ts').FoundTranslation | undefined
    /** Whom to tell of a weakness, and the address of the site where PUBLIC_URL says it. */
    security: Pick<import('#db/config/config.ts').Config, 'securityContacts' | 'publicUrl'>
    language: import('#db/language/languages.ts').Language
    /** Node's own reply: destroyed once it ends or the client disconnects. */
    reply: import('node:http').ServerResponse
    /** The process is about to end: this reply is one of its last. Undefined for a page that is drawn for many. */
    isStopping?: boolean
    /** The reply is sent piece by piece, as it is made. Others are sent whole, with their length. */
    isStreamed?: true
    /** A page is being drawn for this request already. */
    hasTurn?: true
    /** The fields at the end of the page that differ for each visitor, as they were drawn; see kept-pages. */
    formMark?: string
    /** A form that was posted without JavaScript and comes back to the page. */
    returnedForm?: import('#site/lib/rsvp-form.ts').ReturnedForm
    /** A form was posted for another RSVP than that of the private link which was opened last. */
    otherLink?: true
    /** A password that was refused, and why. */
    returnedSignIn?: { status: number; notice: string }
  }
}
