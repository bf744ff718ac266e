declare namespace App {
  interface Locals {
    /** The route that was asked for, for the log. */
    route: string
    /** Who is asking, and when: what every operation is called with. */
    call: import('#db/operation.ts').Call
    /** May administer: everyone in open mode. */
    administrator: boolean
    /** Nobody has to sign in (open mode): every page says so. */
    open: boolean
    /** Scheme and host of the links we hand out, as in https://rsvp.example.org. */
    origin: string
    /** A form that was posted without JavaScript and comes back to the page. */
    returnedForm?: import('#site/lib/rsvp-form.ts').ReturnedForm
  }
}
