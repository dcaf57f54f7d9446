import { RelativeTime } from '../time/relative-time.tsx'

interface LastSeenProps {
  of: { readonly AtUtc: string; readonly Address: string | null; readonly Program: string | null } | null
}

/** When a database login was last seen connected, from where and by which program. */
export function LastSeen({ of: seen }: LastSeenProps) {
  if (seen === null) return <>This login has not been used yet.</>
  return (
    <>
      Last seen <RelativeTime at={seen.AtUtc} />
      {seen.Address === null ? null : `, from ${seen.Address}`}
      {seen.Program === null ? null : `, by ${seen.Program}`}.
    </>
  )
}
