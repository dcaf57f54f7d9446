import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { avatarColour, initialsOf } from './avatar.tsx'

const rules = readFileSync(join(import.meta.dirname, 'avatar.module.css'), 'utf8')
const pairs = [
  ...rules.matchAll(
    /data-colour='(\d)'\] \{\s+background: light-dark\((#\w+), (#\w+)\);\s+color: light-dark\((#\w+), (#\w+)\)/gu,
  ),
]

test('[UX-USERS-3] initials have a contrast of at least 6.7:1 in every colour, light and dark', () => {
  expect(pairs.map(([, number]) => number)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
  for (const [, , lightBackground = '', darkBackground = '', lightText = '', darkText = ''] of pairs) {
    expect(contrast(lightBackground, lightText)).toBeGreaterThan(6.7)
    expect(contrast(darkBackground, darkText)).toBeGreaterThan(6.7)
  }
})

test('[UX-USERS-3] a person has always the same colour, and people have all colours', () => {
  const ids = Array.from({ length: 400 }, (_, number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`)
  const counts = ids.map(avatarColour).reduce<number[]>((sum, colour) => {
    sum[colour] = (sum[colour] ?? 0) + 1
    return sum
  }, [])
  expect(ids.map(avatarColour)).toEqual(ids.map(avatarColour))
  expect(counts.slice(1)).toHaveLength(8)
  for (const count of counts.slice(1)) expect(count).toBeGreaterThan(20)
})

test('initials are those of the first and the last word', () => {
  expect(['Ana Ruiz', 'Ana', 'Ana Maria de Ruiz', ''].map(initialsOf)).toEqual(['AR', 'A', 'AR', ''])
})

/** By WCAG 2. */
function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
