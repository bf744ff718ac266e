import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { request as requestTls } from 'node:https'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { StoredCopy } from '#db/backup/names.ts'
import type { Copies } from '#db/config/config.ts'
import type { CopyAddress } from '#db/config/setting-values.ts'
import { UserError } from '#db/errors.ts'
import { errorCodeOf } from '#db/process/errors.ts'
import { fullHere, type Place, placeError, type Surroundings, silent } from './place.ts'

const EMPTY = createHash('sha256').digest('hex')
const NETWORK = /^(E[A-Z]+$|ERR_TLS|ERR_STREAM_PREMATURE|ERR_SSL|CERT_|UNABLE_|SELF_SIGNED|DEPTH_ZERO)/

/** S3-compatible storage, in which objects appear whole or not at all. */
export function storagePlace(
  title: string,
  { bucket, prefix }: Extract<CopyAddress, { kind: 's3' }>,
  { keyId: accessKeyId, key: secretAccessKey, region, server }: Copies['storage'],
  { signal, silenceMs }: Required<Surroundings>,
): Place {
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new UserError('configuration', `${title} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: set both.`)
  }
  const credentials = { accessKeyId, secretAccessKey, region, service: 's3' }
  // Only Amazon has a host name for every bucket; its certificates do not cover names with dots.
  const root =
    server === undefined && !bucket.includes('.')
      ? `https://${bucket}.s3.${region}.amazonaws.com`
      : `${(server ?? `https://s3.${region}.amazonaws.com`).replace(/\/$/, '')}/${bucket}`
  const start = prefix === '' ? '' : `${prefix}/`
  const addressOf = (name: string) => `${root}/${`${start}${name}`.split('/').map(encodeURIComponent).join('/')}`

  /** Resolves with the reply when its headers have arrived. The request is signed with the hash of its body. */
  async function ask(method: string, url: string, body?: { file: string; bytes: number; hash: string }) {
    const headers = { 'x-amz-content-sha256': body?.hash ?? EMPTY }
    const signed = await new AwsV4Signer({ method, url, headers, ...credentials }).sign()
    const length = body === undefined ? {} : { 'content-length': body.bytes }
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const begin = signed.url.protocol === 'https:' ? requestTls : request
    const asked = begin(signed.url, { method, headers: { ...Object.fromEntries(signed.headers), ...length }, signal })
    asked.setTimeout(silenceMs, () => asked.destroy(silent(title, silenceMs)))
    asked.once('response', resolve).on('error', reject)
    // A server that refuses the request replies before it has read everything, then closes the connection.
    if (body === undefined) asked.end()
    else pipeline(createReadStream(body.file), asked).catch(reject)
    const reply = await promise
    if (reply.statusCode !== undefined && reply.statusCode < 300) return reply
    throw refused(title, bucket, reply.statusCode, await text(reply))
  }

  async function at<Output>(work: () => Promise<Output>): Promise<Output> {
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      throw networkError(title, error)
    }
  }

  async function list(): Promise<StoredCopy[]> {
    const found: StoredCopy[] = []
    let more: string | undefined
    do {
      const query = new URLSearchParams({ 'list-type': '2', delimiter: '/', prefix: start })
      if (more !== undefined) query.set('continuation-token', more)
      const page = await text(await ask('GET', `${root}/?${query}`))
      for (const [entry] of page.matchAll(/<Contents>.*?<\/Contents>/gs)) {
        found.push({ name: elementOf('Key', entry).slice(start.length), bytes: Number(elementOf('Size', entry)) })
      }
      more = elementOf('IsTruncated', page) === 'true' ? elementOf('NextContinuationToken', page) : undefined
    } while (more !== undefined)
    return found
  }

  async function send(file: string, name: string): Promise<void> {
    const hash = createHash('sha256')
    await pipeline(createReadStream(file), hash, { signal })
    const { size: bytes } = await stat(file)
    await text(await ask('PUT', addressOf(name), { file, bytes, hash: hash.digest('hex') }))
  }

  async function fetch(name: string, file: string): Promise<void> {
    await pipeline(await ask('GET', addressOf(name)), createWriteStream(file), { signal })
  }

  return {
    title,
    list: () => at(list),
    send: (file, name) => at(() => send(file, name)),
    fetch: (name, file) => at(() => fetch(name, file)),
    remove: (names) =>
      at(async () => {
        for (const name of names) await text(await ask('DELETE', addressOf(name)))
      }),
  }
}

/** Decodes entities because a continuation token may contain an ampersand. */
function elementOf(element: string, xml: string): string {
  const [, value = ''] = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml) ?? []
  return value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

function refused(title: string, bucket: string, status: number | undefined, reply: string): UserError {
  const code = elementOf('Code', reply)
  const said = code === '' ? `status ${status}` : `status ${status}, ${code}`
  if (code === 'NoSuchBucket') return placeError(title, `there is no bucket ${bucket}`, 'Make it, or check the name.')
  if (status === 401 || status === 403) {
    return placeError(title, `it refuses the access key (${said})`, 'Check AWS_ACCESS_KEY_ID, its key and its rights.')
  }
  if (status === 507) return placeError(title, 'it is full', 'Make room there, then try again.')
  return placeError(title, `it replies with ${said}`, 'Try again later, or check the settings.')
}

/** Turns a network error into a sentence; returns any other error unchanged. */
function networkError(title: string, error: unknown): unknown {
  const code = errorCodeOf(error)
  if (error instanceof UserError || !NETWORK.test(code)) return error
  if (/^(ENOSPC|EDQUOT)$/.test(code)) return fullHere()
  return placeError(title, `the connection failed (${code})`, 'Check AWS_ENDPOINT_URL_S3 and the network.')
}
