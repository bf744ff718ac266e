// Makes the databases of several sites on one libSQL server, where they are missing. Usage: ADMIN-ADDRESS NAME…
const [server, ...names] = process.argv.slice(2)

for (const name of names) {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${server}/v1/namespaces/${name}/create`, { method: 'POST', headers, body: '{}' })
  const said = await reply.text()
  // One that is there already stays as it is.
  if (!reply.ok && !said.includes('already exists')) throw new Error(`${name}: ${reply.status} ${said}`)
}
