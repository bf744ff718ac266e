import type { ReactNode } from 'react'
import { roleLanguage, roleName } from '#site/texts/texts.ts'
import { NameList } from '#site/ui/Sentence.tsx'

/** A role and its state. The name is in the language of the page if the church has translated it. */
export function RoleName({ name, state }: { name: string; state?: ReactNode }) {
  return (
    <span>
      <bdi lang={roleLanguage(name)}>{roleName(name)}</bdi>
      {state && <small> {state}</small>}
    </span>
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
