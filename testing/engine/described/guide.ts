/** docs/extending/describe-a-source.md: its description, its sample reply and its commands. */
import { readFileSync } from 'node:fs'

function blocks(language: string): readonly string[] {
  const guide = readFileSync('docs/extending/describe-a-source.md', 'utf8')
  const fences = [...guide.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gmu)]
  return fences.flatMap(([, name, block = '']) => (name === language ? [block] : []))
}

export function descriptionOfGuide(): string {
  return blocks('yaml').join('')
}

export function sampleOfGuide(): string {
  return blocks('json')[0] ?? ''
}

/** The words of each command after `npm run source --`. */
export function commandsOfGuide(): readonly (readonly string[])[] {
  const lines = blocks('').flatMap((block) => block.split('\n'))
  return lines.flatMap((line) => {
    const [, words] = /^\$ npm run source -- (.+)$/u.exec(line) ?? []
    return words === undefined ? [] : [words.split(' ').map((word) => word.replaceAll("'", ''))]
  })
}
