/** Where the file stands. */
export const SECURITY_TXT = '/.well-known/security.txt'

/** Less than a year, as the standard asks, and always months ahead: the file changes once a month. */
const VALID_MONTHS = 6

type SecurityTxt = App.Locals['security'] & { languages: string[]; now: Date }

/** The file that says whom to tell of a weakness (RFC 9116). */
export function writeSecurityTxt({ securityContacts, publicUrl, languages, now }: SecurityTxt): string {
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + VALID_MONTHS))
  const lines = [
    ...securityContacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires.toISOString().replace('.000', '')}`,
    `Preferred-Languages: ${languages.join(', ')}`,
    // The standard knows no other address of the file than a secure one.
    ...(publicUrl?.startsWith('https:') ? [`Canonical: ${publicUrl}${SECURITY_TXT}`] : []),
  ]
  return lines.map((line) => `${line}\n`).join('')
}
