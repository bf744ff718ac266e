import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '#db/config/places.ts'
import { isAtLeast, type Role, roles } from '#db/values/roles.ts'
import type { Access } from '#site/call-description.ts'

/** Every route of the build, Astro's own included, e.g. `/api/rsvps/[id]`. The build lists them twice. */
export const builtRoutes: string[] = Array.from(
  new Set(globSync(join(projectRoot, 'dist/server/**/*.mjs')).flatMap((file) => routesIn(readFileSync(file, 'utf8')))),
)

/** An address that leads to a route, e.g. `/api/rsvps/1`. */
export function addressOf(route: string): string {
  return route
    .replace('[id]', '1')
    .replace('[language]', 'es')
    .replace('[date]', '2026-11-21')
    .replace('[name]', 'x')
    .replace('[size]', '0123456789abcdef-800')
    .replace('[look]', '6a3460-0123456789abcdef')
    .replace('[hash]', '0123456789abcdef')
    .replace('[...path]', 'nope/nothing')
}

/** Whether the table of access refuses this caller. */
export function isRefused(caller: Role | 'visitor', access: Access | undefined): boolean {
  return roles.some((role) => role === access && !isAtLeast(role, caller))
}

/** Of code whose long lines are broken, also inside texts. */
function routesIn(code: string): string[] {
  return Array.from(code.replaceAll('\\\n', '').matchAll(/"route":"([^"]+)"/g), ([, route = '']) => route)
}
