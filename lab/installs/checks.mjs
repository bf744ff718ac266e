// What must hold of a site that has just been installed. Each check returns sentences on what does not.

const MAXIMUM_EXPOSURE = 3
const RSVP = { name: 'Ana Cole', email: 'ana@example.org', attending: true, familyMembers: [], volunteerRoles: [] }
/** Where a system writes by itself, and where data stays. */
const OWN =
  '^/(proc|sys|run|tmp|dev)/|^/var/(log|lib/rsvp|lib/systemd|lib/dpkg|backups|cache)(/|$)|^/etc/[a-z]+-$|^/etc/\\.pwd\\.lock|^/root'

/** What a visitor sends. */
export const body = JSON.stringify(RSVP)

/** With the Node of the release: there is no other program in there that could. @throws Failure where it is refused */
export function store(sh, node) {
  const call = `fetch('http://127.0.0.1:4321/api/rsvp',{method:'POST',headers:{'content-type':'application/json'},body:process.argv[1]})`
  sh(`${node} -e "${call}.then((reply) => process.exit(reply.status === 201 ? 0 : 1))" '${body}'`)
}

/** @param {string} list what `rsvp list` says */
export function examineList(list) {
  return list.includes(RSVP.name) ? [] : [`The RSVP is not in the list: ${list}`]
}

/** What a service may do, and who may change what it runs. */
export function examineService(sh, done) {
  const security = sh('systemd-analyze security --no-pager rsvp@main')
  const exposure = Number(/→ Overall exposure level[^:]*: ([\d.]+)/.exec(security)?.[1])
  done(`examined: exposure ${exposure} of 10`)
  const loose = sh(
    'find /opt/rsvp /etc/rsvp /usr/lib/rsvp \\( -perm /6000 -o ! -type l -perm /022 -o ! -user root \\) 2>/dev/null || true',
  )
  return [
    ...(exposure < MAXIMUM_EXPOSURE ? [] : [`systemd-analyze security says ${exposure}.`]),
    ...(loose === '' ? [] : [`These may be changed by others than root, or run as another account:\n${loose}`]),
  ]
}

export function filesOf(sh) {
  return sh(`find / -xdev 2>/dev/null | grep -vE '${OWN}' | sort`).split('\n')
}

/** After an uninstallation. @param {string[]} before every file before the installation */
export function examineRest(sh, before) {
  const known = new Set(before)
  const left = filesOf(sh).filter((file) => !known.has(file))
  const kept = sh('ls -A /var/lib/rsvp/main').trim().split('\n').join(' ')
  return [
    ...(left.length === 0 ? [] : [`These are left behind:\n${left.join('\n')}`]),
    ...(kept === 'data settings.env' ? [] : [`What is kept of the site is ${kept}.`]),
  ]
}
