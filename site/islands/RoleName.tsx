import { roleLanguage, roleName } from '#site/texts/role-name.ts'

/** What the church calls a role, in the language of the page where it has said so, and what is said of it. */
export function RoleName({ name, state }: { name: string; state?: string | undefined }) {
  return (
    <>
      <bdi lang={roleLanguage(name)}>{roleName(name)}</bdi>
      {state && ` · ${state}`}
    </>
  )
}
