import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { buildFolder } from '#site/server/program.ts'

const YEAR_S = 365 * 24 * 60 * 60
const CLIENT = join(buildFolder, 'client')
const WORKER = /\/client\/worker\.js/
const PREVIEW = /\/client\/preview\.jpg$/
/** Chosen by Accept-Encoding, never requested by name. */
const COMPRESSED = /\.(br|gz)$/

/** undefined if the request names no built file. */
export type SendFile = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

/**
 * Serves scripts, styles and fonts of this build, and of the builds before it (scripts/setup.mjs keeps them), which open
 * pages may still request. It lists their names once: no request makes it look for other files, and it needs no route
 * for each.
 */
export async function serveBuiltFiles(front: FastifyInstance): Promise<SendFile> {
  await front.register(staticFiles, {
    serve: false,
    root: CLIENT,
    preCompressed: true,
    cacheControl: false,
    setHeaders,
  })
  const builds = dirname(buildFolder)
  const all = readdirSync(builds).map((name) => join(builds, name, 'client'))
  const places = new Map([...all.flatMap((folder) => filesIn(folder, 'assets')), ...filesIn(CLIENT)])
  return ({ method, url }, reply) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined
    const [name = ''] = url.split('?', 1)
    const folder = places.get(name)
    return folder === undefined ? undefined : reply.sendFile(name, folder)
  }
}

/** The address of each file below a folder, with the root of its build. */
function filesIn(root: string, folder = ''): [string, string][] {
  if (!existsSync(join(root, folder))) return []
  const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile() && !COMPRESSED.test(file.name))
    .map(({ parentPath, name }) => [`/${relative(root, join(parentPath, name))}`, root])
}

/** Hashed names never change their content. The service worker loads what it caches under its own policy. */
function setHeaders(reply: FastifyReply, path: string): void {
  const isHashed = /\/client\/assets\//.test(path)
  reply.header('cache-control', isHashed ? `public, max-age=${YEAR_S}, immutable` : 'public, max-age=3600')
  // Chats in a browser load it from other origins.
  if (PREVIEW.test(path)) reply.header('cross-origin-resource-policy', 'cross-origin')
  if (WORKER.test(path)) reply.header('content-security-policy', "default-src 'none';connect-src 'self'")
}
