// The proxies and their configurations: as in docs/operating.md, and with no more than they need to forward requests.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/local-node.mjs'
import { Failure } from '../../scripts/run.mjs'

const page = readFileSync(join(root, 'docs', 'operating.md'), 'utf8')

export const byName = 'open: refused by name'
export const asLocalhost = 'open: refused as localhost'

/**
 * `https`: as in docs/operating.md. `tellsClient`: the proxy forwards the client's address, so TRUSTED_PROXIES may name it.
 * `unseen`: checks that fail because the proxy sends no header of its own; SECURITY.md warns about that.
 */
export const setups = [
  { name: 'nginx, documented', proxy: 'nginx', https: true, tellsClient: true, configure: nginxAsDocumented },
  { name: 'nginx, plain', proxy: 'nginx', configure: nginxPlain() },
  // With a path, nginx decodes and rebuilds the address before it forwards it.
  { name: 'nginx, slash', proxy: 'nginx', configure: nginxPlain({ path: '/' }) },
  // The default of newer versions.
  { name: 'nginx, HTTP/1.1', proxy: 'nginx', unseen: [byName, asLocalhost], configure: nginxPlain({ version: '1.1' }) },
  { name: 'Caddy, documented', proxy: 'caddy', https: true, tellsClient: true, configure: caddyAsDocumented },
  { name: 'Caddy, plain', proxy: 'caddy', tellsClient: true, configure: caddyPlain },
  { name: 'HAProxy, documented', proxy: 'haproxy', https: true, tellsClient: true, configure: haproxyAsDocumented },
  { name: 'HAProxy, plain', proxy: 'haproxy', unseen: [asLocalhost], configure: haproxyPlain },
]

/** Arguments that start each in the foreground with its configuration. */
export const commands = {
  nginx: (file, folder) => ['-p', folder, '-e', 'stderr', '-c', file, '-g', 'daemon off;'],
  caddy: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  haproxy: (file) => ['-db', '-f', file],
}

function nginxAsDocumented({ site, port, folder }) {
  const tls = `ssl_certificate ${folder}/site.pem; ssl_certificate_key ${folder}/site.pem;`
  const location = withSite(snippet('nginx'), site)
  return nginx(folder, `listen 127.0.0.1:${port} ssl; server_name rsvp.example.org; ${tls}\n${location}`)
}

function nginxPlain({ path = '', version = '1.0' } = {}) {
  const location = (site) => `proxy_http_version ${version}; proxy_pass http://${site}${path};`
  return ({ site, port, folder }) => nginx(folder, `listen 127.0.0.1:${port}; location / { ${location(site)} }`)
}

function nginx(folder, server) {
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const folders = kept.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')
  // Without this, nginx started by root runs workers under an account that cannot read the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  return `${user} pid ${folder}/nginx.pid; events {}\nhttp { access_log off; ${folders}\nserver { ${server} } }\n`
}

function caddyAsDocumented({ site, port, folder }) {
  const tls = `tls ${folder}/site.pem ${folder}/site.pem`
  const block = replaced(withSite(snippet('caddyfile'), site), 'reverse_proxy', `${tls}\n\treverse_proxy`)
  return `{\n\tauto_https disable_redirects\n\thttps_port ${port}\n${caddyOptions}}\n${block}`
}

function caddyPlain({ site, port }) {
  return `{\n\tauto_https off\n${caddyOptions}}\n:${port} {\n\treverse_proxy ${site}\n}\n`
}

const caddyOptions = '\tadmin off\n\tskip_install_trust\n\tdefault_bind 127.0.0.1\n'

/** The snippet must hold all that it needs, whatever the `defaults` section says. */
function haproxyAsDocumented({ site, port, folder }) {
  const bound = replaced(withSite(snippet('haproxy'), site), 'bind :443', `bind 127.0.0.1:${port}`)
  return `${haproxyTimes}${replaced(bound, '/etc/haproxy/certs/', `${folder}/site.pem`)}`
}

function haproxyPlain({ site, port }) {
  const server = `backend site\n  server site ${site}\n`
  return `${haproxyTimes}  mode http\nfrontend rsvp\n  bind 127.0.0.1:${port}\n  default_backend site\n${server}`
}

const haproxyTimes = 'defaults\n  timeout connect 5s\n  timeout client 30s\n  timeout server 30s\n'

/** The code block of docs/operating.md in a language. */
function snippet(language) {
  const found = page.match(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``))?.[1]
  if (found === undefined) throw new Failure(`docs/operating.md shows no ${language} any more.`)
  return found
}

function withSite(text, site) {
  return replaced(text, '127.0.0.1:4321', site)
}

function replaced(text, part, other) {
  if (!text.includes(part)) throw new Failure(`docs/operating.md no longer says ${part}, so it cannot be tried.`)
  return text.replace(part, other)
}
