// Starts a real S3 server on this machine with one empty bucket, for tests of copies at another place.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

/** @param {string} bucket */
export async function startS3Server(bucket) {
  const directory = mkdtempSync(join(tmpdir(), 'rsvp-s3-'))
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  const { port } = await server.run()
  return {
    settings: {
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    /** Where it keeps an object. */
    fileOf: (/** @type {string} */ key) => join(directory, bucket, `${key}._S3rver_object`),
    stop: async () => {
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
