import { Avatar } from './avatar.tsx'
import css from './avatar-stack.module.css'
import { Tooltip } from '../overlays/tooltip.tsx'

export interface AvatarPerson {
  readonly id: string
  readonly name: string
  /** 'Archived' or 'Locked'; null for a person who can sign in. */
  readonly status: string | null
}

/** Initials of the first `max` people, then '+ N'. */
export function AvatarStack({ people, max, label }: { people: readonly AvatarPerson[]; max: number; label: string }) {
  if (people.length === 0) return null
  const hidden = people.length - max
  return (
    <ul className={css.stack} aria-label={label}>
      {people.slice(0, max).map((person) => (
        <li key={person.id}>
          <Tooltip label={labelOf(person)}>
            <span
              className={css.person}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the initials are text, not an image file
              role="img"
              aria-label={labelOf(person)}
              data-away={person.status !== null || undefined}
            >
              <Avatar id={person.id} name={person.name} size="small" />
            </span>
          </Tooltip>
        </li>
      ))}
      {hidden > 0 ? <li className={css.more}>{`+ ${hidden}`}</li> : null}
    </ul>
  )
}

function labelOf({ name, status }: AvatarPerson): string {
  return status === null ? name : `${name} (${status.toLowerCase()})`
}
