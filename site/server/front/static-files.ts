import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { buildFolder } from './build.ts'

const YEAR_S = 365 * 24 * 60 * 60
/** How long the files of a replaced build are served to pages that are still open; see scripts/build/builds.mjs. */
const EARLIER_FILES_TTL_MS = 24 * 60 * 60 * 1000

/** Serves scripts, styles and fonts of this build, and of earlier builds that open pages may still request. */
export async function serveBuiltFiles(front: FastifyInstance): Promise<void> {
  const options = {
    wildcard: false,
    preCompressed: true,
    // Chosen by Accept-Encoding, never requested by name.
    globIgnore: ['**/*.{br,gz}'],
    cacheControl: false,
    setHeaders,
  }
  await front.register(staticFiles, { ...options, root: join(buildFolder, 'client') })
  const earlier = join(buildFolder, 'earlier')
  if (!existsSync(earlier)) return
  await front.register(staticFiles, {
    ...options,
    root: earlier,
    decorateReply: false,
    allowedPath: (path, _root) => isRecent(join(earlier, path)),
  })
}

/** The setup sets their modification time to the moment their build was replaced. */
function isRecent(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.mtimeMs < EARLIER_FILES_TTL_MS
}

/** A hashed name never changes its content. */
function setHeaders(reply: FastifyReply, path: string): void {
  const isHashed = /[\\/](client|earlier)[\\/]assets[\\/]/.test(path)
  reply.header('cache-control', isHashed ? `public, max-age=${YEAR_S}, immutable` : 'public, max-age=3600')
}
