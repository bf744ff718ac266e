import { generateKeyPairSync, sign } from 'node:crypto'

/** What makes a libSQL server of the tests want a token, and makes such tokens (JSON Web Tokens). */
export function serverToken() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    variables: { SQLD_AUTH_JWT_KEY: publicKey.export({ format: 'jwk' }).x ?? '' },
    token: (claims: { exp?: number; a?: 'ro' } = {}) => {
      const text = [{ alg: 'EdDSA', typ: 'JWT' }, claims].map(encoded).join('.')
      return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
    },
  }
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
