declare namespace App {
  interface Locals {
    /** The route that was asked for, for the log. */
    route: string
    /** Who is asking, and when: what every operation is called with. */
    call: import('#db/operation.ts').Call
    /** The token of the session that the caller has signed in to; undefined for all others. */
    token?: string | undefined
    /** Tells whether nobody has to sign in. */
    mode: import('#site/server/access/mode.ts').Mode
    /** It is so for this request (open mode): every page says so. */
    open: boolean
    /** Where the request comes from, as far as limits go. */
    network: string
    /** How many answers a network may send. */
    allowance: import('#db/config/setting-values.ts').Allowance | undefined
    /** Scheme and host of the links we hand out, as in https://rsvp.example.org. */
    origin: string
    /** Node's own reply: destroyed once it is over, or whoever asked has hung up. */
    reply: import('node:http').ServerResponse
    /** A page is being drawn for this request already. */
    hasTurn?: true
    /** A form that was posted without JavaScript and comes back to the page. */
    returnedForm?: import('#site/lib/rsvp-form.ts').ReturnedForm
    /** A password that was refused, and why. */
    returnedSignIn?: { status: number; notice: string }
  }
}
