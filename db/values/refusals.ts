/**
 * The refusals that people read on the site, by code, then by name, in English. The catalogues in site/texts have the other
 * languages under the same names. `valueText` fills in the braces.
 */
export const refusals = {
  invalid: {
    'does-not-fit': 'Some of this does not fit. Correct it and send it again.',
    'password-common': 'Guessers try this password first. Use three or four words that do not belong together.',
    'credential-missing': 'Choose a password, or make a passkey.',
    'passkey-unchecked': 'This passkey could not be checked, or it took too long. Make it once more.',
    'address-elsewhere':
      '{address} does not lead to this site ({reason}). Check the name, the proxy and the certificate. If only the server itself cannot reach it, set PUBLIC_URL there.',
    'address-given': 'PUBLIC_URL in the settings of the server gives the address. Change it there.',
    'address-open': 'Guard this site before people can reach it.',
    'address-of-passkeys': 'Your passkeys work at the present address only. Choose a password first.',
    'address-needed': 'Without it, this site refuses the address that you use now. Give a new one.',
    'service-closed': 'You cannot respond for {day} at this time. The next service is on {next}.',
    'no-service': 'There is no service on {day}. The next service is on {next}.',
    'role-filled': '{role} is filled for {when}. Submit without it, or choose another role.',
    'roles-filled': 'Filled for {when}: {roles}. Submit without them, or choose another role.',
    'other-week': 'This is one of the weeks that you come. To change another one, open that one.',
    'every-week-no': 'Only a yes can be for every week. If you no longer come every week, end that.',
    'one-service': 'This RSVP is for one service, not for every week.',
    'every-week-begins': 'Every week begins with a coming service: choose one.',
  },
  unauthenticated: {
    'signed-out': 'You are signed out. Sign in, then try again.',
    'password-wrong': 'The password is wrong. Try again.',
    'email-or-password-wrong': 'The email or the password is wrong. Try again.',
    'passkey-refused': 'The passkey was refused, or it took too long. Try again, or sign in another way.',
  },
  forbidden: {
    'owner-only': 'Only an owner may do this. Ask an owner of this site.',
    'clerk-only': 'Only a clerk or an owner may do this. Ask an owner of this site.',
    'no-longer-owner': 'You are no longer an owner of this site. Ask one who is.',
    'prayers-hidden': 'You read no prayer requests. An owner chooses who does, in the settings.',
    'test-elsewhere': 'A test message goes only to yourself: leave out the address.',
  },
  'not-found': {
    'no-such-response': 'There is no such response. It may have been deleted already.',
    'no-such-role': 'There is no such role. Load the page again to see the list.',
    'no-such-household': 'No household comes every week under number {id}. It may have ended already.',
    'no-such-prayer': 'There is no such prayer request. It may have been withdrawn, or is erased.',
    'no-such-administrator': 'There is no such administrator. They may be removed already.',
    'no-such-passkey': 'You have no such passkey. It may be removed already.',
    'no-such-link':
      'This link does not work, or this browser has forgotten it. Open the whole link once more, or tell the church office what you would like to change.',
    'no-such-stop': 'This link does not work. Open it from the message once more, whole.',
    'link-incomplete': 'This link is incomplete. Open the whole link once more from your message, or copy all of it.',
    'no-mail': 'This site sends no email. Tell the church office what you would like to change.',
    'no-backup-folder': 'There is no folder for backups: set BACKUP_DIR, then start the site again.',
  },
  conflict: {
    'email-taken': 'Another administrator has this email. Give another one, or change theirs first.',
    'still-open': 'Guard this site first, then invite others.',
    'already-guarded': 'This site is guarded already. Sign in at /admin, or ask an owner to invite you.',
    'last-owner':
      'No other owner can sign in to this site. Make another administrator an owner first, or wait until one has accepted the invitation.',
    'owner-of-settings':
      'The password of this owner comes from ADMIN_PASSWORD. Take it out of the settings and restart the site first.',
    'password-of-settings': 'Your password comes from ADMIN_PASSWORD. Change it there, and restart the site.',
    'passkeys-full': 'You have {maximum} passkeys. Remove one that you no longer use first.',
    'passkey-in-use': 'This passkey is in use already. Make a new one.',
    'last-credential': 'This is your only way to sign in. Add another passkey or a password first.',
  },
  deleted: {
    'deleted-since': 'This response was stored, and it has been deleted since. If it still holds, submit it once more.',
    withdrawn: 'This RSVP is withdrawn. Take that back first, then change it.',
  },
  gone: {
    'service-over': 'The service of this RSVP is over. Send a new one for the next service.',
    'household-ended':
      'This household no longer comes every week: that was ended. If you are coming, send a new RSVP, for one service or for every week.',
    'rsvp-removed':
      'The church has deleted this RSVP, or combined it with another that was sent in the same name. Look for a newer link in your email, or ask the church office.',
    'invitation-over':
      'This invitation has been used, is over, or was replaced by a newer one. Ask an owner of this site for a new link.',
  },
  'too-many': {
    'too-many-rsvps': 'Too many responses came from your network. Wait {wait}, then send yours again.',
    'too-many-links': 'Too many links were asked for in your network. Wait {wait}, then ask again.',
    'too-many-passwords': 'Too many wrong passwords. Wait {wait}, then try again.',
    'too-many-challenges': 'Passkeys were asked for too often in your network. Wait {wait}, then try again.',
  },
  overloaded: { 'site-busy': 'This site is very busy right now. Try again in a few seconds.' },
  busy: { 'database-busy': 'The database is busy. Nothing was stored; try again in a few seconds.' },
  unavailable: { 'database-away': 'The database cannot be reached at the moment. Try again in a few seconds.' },
  'not-sent': {
    'mail-refused': 'The mail server refused the message for good ({reply}). The address may not exist.',
    'mail-not-taken':
      'The mail server has not taken the message ({reply}). If that lasts, check SMTP_URL and MAIL_FROM.',
    'mail-server-away': 'The mail server cannot be reached: check SMTP_URL ({reply}).',
    'mail-unknown':
      'It is unknown whether this was sent: the site or the connection stopped before the mail server replied. Send it again only if a second copy does no harm.',
    'mail-without-address':
      'The site does not know its own address, which the links in messages need: set PUBLIC_URL, or the public address in the settings.',
    'mail-too-late': 'It could not be sent before its time was over.',
    'mail-not-made': 'The message could not be made: the log of the site has the error.',
  },
  configuration: {
    'no-mail-server': 'No mail server is set: set SMTP_URL and MAIL_FROM, then start the site again.',
  },
} as const

type Refusals = typeof refusals
export type Refusal = { [Code in keyof Refusals]: keyof Refusals[Code] }[keyof Refusals]
