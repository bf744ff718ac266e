import { roleLanguage, roleName } from '#site/texts/texts.ts'
import { NameList } from '#site/ui/Sentence.tsx'

/** What the church calls a role, in the language of the page where it has said so, and what is said of it. */
export function RoleName({ name, state }: { name: string; state?: string | undefined }) {
  return (
    <>
      <bdi lang={roleLanguage(name)}>{roleName(name)}</bdi>
      {state && ` · ${state}`}
    </>
  )
}

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
