import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { buildFolder } from './build.ts'

const YEAR_S = 365 * 24 * 60 * 60
/** How long pages that were open when their build was replaced find the files of it, in ms; as in scripts/build/builds.mjs. */
const KEPT_FOR = 24 * 60 * 60 * 1000

/** Scripts, styles and fonts of this build, and those of earlier ones that open pages may still ask for. */
export async function serveBuiltFiles(front: FastifyInstance): Promise<void> {
  const options = {
    wildcard: false,
    preCompressed: true,
    // They are chosen by Accept-Encoding, never asked for by name.
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

/** The setup gives them the moment when their build was replaced. */
function isRecent(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.mtimeMs < KEPT_FOR
}

/** A hashed name never changes its content. */
function setHeaders(reply: FastifyReply, path: string): void {
  const isHashed = /[\\/](client|earlier)[\\/]assets[\\/]/.test(path)
  reply.header('cache-control', isHashed ? `public, max-age=${YEAR_S}, immutable` : 'public, max-age=3600')
}
