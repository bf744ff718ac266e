import { roleLanguage, roleName } from '#site/texts/role-name.ts'
import { NameList } from '#site/ui/NameList.tsx'

/** What the church calls a role, in the language of the page where it has said so. */
export function RoleName({ name }: { name: string }) {
  return <bdi lang={roleLanguage(name)}>{roleName(name)}</bdi>
}

/** A text in which the role is named as `roleName` does, e.g. `Greeter · 2 still needed`. */
export function RoleLabel({ text, name }: { text: string; name: string }) {
  const named = roleName(name)
  const start = text.indexOf(named)
  if (start === -1) return text
  return (
    <>
      {text.slice(0, start)}
      <RoleName name={name} />
      {text.slice(start + named.length)}
    </>
  )
}

/** Roles in a row, each with what is said of it. */
export function RoleList({ roles }: { roles: { name: string; remark?: string }[] }) {
  return (
    <NameList
      names={roles.map(({ name, remark }) => (
        <>
          <RoleName name={name} />
          {remark}
        </>
      ))}
    />
  )
}
