import css from './avatar.module.css'

interface AvatarProps {
  /** Decides the colour, so that a person has the same one on every page and under every name. */
  id: string
  name: string
  size?: 'small' | 'medium'
}

/** The initials of a person, in the person's colour. Screen readers skip them, because the name is next to them. */
export function Avatar({ id, name, size = 'medium' }: AvatarProps) {
  return (
    <span className={css.avatar} data-size={size} data-colour={avatarColour(id)} aria-hidden>
      {initialsOf(name)}
    </span>
  )
}

const colours = 8

/** 1 to 8. */
export function avatarColour(id: string): number {
  let hash = 0
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return (hash % colours) + 1
}

export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  return `${words[0]?.[0] ?? ''}${words.length > 1 ? (words.at(-1)?.[0] ?? '') : ''}`.toUpperCase()
}
