import { NameList } from '#site/ui/NameList.tsx'
import { RoleName } from './RoleName.tsx'

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
