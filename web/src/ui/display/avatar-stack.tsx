import css from './avatar-stack.module.css'
import { Hint } from '../overlays/tooltip.tsx'

export interface Person {
  readonly id: string
  readonly name: string
  /** 'Archived', 'Locked'; null for somebody who can sign in. */
  readonly standing: string | null
}

/** Initials of the first `max` people, then '+ N'. */
export function AvatarStack({ people, max, label }: { people: readonly Person[]; max: number; label: string }) {
  if (people.length === 0) return null
  const hidden = people.length - max
  return (
    <ul className={css.stack} aria-label={label}>
      {people.slice(0, max).map((person) => (
        <li key={person.id}>
          <Hint label={labelOf(person)}>
            <span
              className={css.avatar}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the initials are text, there is no file for an img element
              role="img"
              aria-label={labelOf(person)}
              data-away={person.standing !== null || undefined}
            >
              {initials(person.name)}
            </span>
          </Hint>
        </li>
      ))}
      {hidden > 0 ? <li className={css.more}>{`+ ${hidden}`}</li> : null}
    </ul>
  )
}

function labelOf({ name, standing }: Person): string {
  return standing === null ? name : `${name} (${standing.toLowerCase()})`
}

export function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  return `${words[0]?.[0] ?? ''}${words.length > 1 ? (words.at(-1)?.[0] ?? '') : ''}`.toUpperCase()
}
