import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { buildFolder } from '#site/server/program.ts'

const YEAR_S = 365 * 24 * 60 * 60
/** How long the files of a replaced build are served to pages that are still open; see scripts/build/builds.mjs. */
const EARLIER_FILES_TTL_MS = 24 * 60 * 60 * 1000
const CLIENT = join(buildFolder, 'client')
const WORKER = /[\\/]client[\\/]worker\.js/
const PREVIEW = /[\\/]client[\\/]preview\.jpg$/
const EARLIER = join(buildFolder, 'earlier')
/** Chosen by Accept-Encoding, never requested by name. */
const COMPRESSED = /\.(br|gz)$/

/** undefined if the request names no built file. */
export type SendFile = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

/**
 * Serves scripts, styles and fonts of this build, and of earlier builds that open pages may still request. It lists
 * their names once: no request makes it look for other files, and it needs no route for each.
 */
export async function serveBuiltFiles(front: FastifyInstance): Promise<SendFile> {
  await front.register(staticFiles, {
    serve: false,
    root: CLIENT,
    preCompressed: true,
    cacheControl: false,
    setHeaders,
  })
  const [current, earlier] = [namesIn(CLIENT), namesIn(EARLIER)]
  return ({ method, url }, reply) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined
    const [name = ''] = url.split('?', 1)
    if (current.has(name)) return reply.sendFile(name)
    return earlier.has(name) && isRecent(join(EARLIER, name)) ? reply.sendFile(name, EARLIER) : undefined
  }
}

function namesIn(folder: string): Set<string> {
  if (!existsSync(folder)) return new Set()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (file) => file.isFile() && !COMPRESSED.test(file.name),
  )
  const paths = files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
  return new Set(paths.map((path) => `/${path.replaceAll('\\', '/')}`))
}

/** The setup sets their modification time to the moment their build was replaced. */
function isRecent(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.mtimeMs < EARLIER_FILES_TTL_MS
}

/** Hashed names never change their content. The service worker loads what it caches under its own policy. */
function setHeaders(reply: FastifyReply, path: string): void {
  const isHashed = /[\\/](client|earlier)[\\/]assets[\\/]/.test(path)
  reply.header('cache-control', isHashed ? `public, max-age=${YEAR_S}, immutable` : 'public, max-age=3600')
  // Chats in a browser load it from other origins.
  if (PREVIEW.test(path)) reply.header('cross-origin-resource-policy', 'cross-origin')
  if (WORKER.test(path)) reply.header('content-security-policy', "default-src 'none';connect-src 'self'")
}
