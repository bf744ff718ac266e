import { generateKeyPairSync, sign } from 'node:crypto'

/** The environment that makes a test's libSQL server require a token, and a function that signs such tokens (JWT). */
export function serverToken() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    variables: { SQLD_AUTH_JWT_KEY: publicKey.export({ format: 'jwk' }).x ?? '' },
    token: (claims: { exp?: number; a?: 'ro' } = {}) => {
      const unsigned = [{ alg: 'EdDSA', typ: 'JWT' }, claims].map(encoded).join('.')
      return `${unsigned}.${sign(null, Buffer.from(unsigned), privateKey).toString('base64url')}`
    },
  }
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
