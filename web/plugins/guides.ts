/**
 * Provides the guides as modules: `virtual:guides` lists those of docs/users and the documents that they link to, each
 * with its sections, and loads one as a tree of elements. A tree, and not HTML, because React renders it without a
 * trusted type.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { marked, type Token, type Tokens } from 'marked'
import type { Plugin } from 'vite'
import type { GuideAttributes, GuideNode, GuideSection } from '../src/features/help/guide-node.ts'

const docs = resolve(import.meta.dirname, '../../docs')
const startingGuides = ['users/user', 'users/administrator', 'users/provider']

const listName = 'virtual:guides'
const resolvedList = `\0${listName}`
const resolvedGuide = '\0virtual:guide/'

interface ParsedGuide {
  readonly title: string
  /** Of the second level. */
  readonly sections: readonly GuideSection[]
  readonly content: readonly GuideNode[]
  /** Files of the pictures, below docs. In the tree, `src` is an index into them. */
  readonly pictures: readonly string[]
}

export function guidesModule(): Plugin {
  return {
    name: 'guides',
    resolveId: (id) => (id === listName || id.startsWith('virtual:guide/') ? `\0${id}` : null),
    load(id) {
      if (id === resolvedList) return describeGuides((path) => this.addWatchFile(fileOf(path)))
      if (!id.startsWith(resolvedGuide)) return null
      const path = id.slice(resolvedGuide.length)
      this.addWatchFile(fileOf(path))
      return describeGuide(parseGuide(path))
    },
  }
}

function describeGuides(watch: (path: string) => void): string {
  const guides = listGuides().map((path) => {
    watch(path)
    const { title, sections } = parseGuide(path)
    const described = JSON.stringify({ path, title, isForUsers: startingGuides.includes(path), sections })
    return `{ ...${described}, load: () => import(${JSON.stringify(`virtual:guide/${path}`)}) }`
  })
  return `export const guides = [${guides.join(', ')}]`
}

function describeGuide({ content, pictures }: ParsedGuide): string {
  const imports = pictures.map(
    (file, index) => `import picture${index} from ${JSON.stringify(`${join(docs, file)}?url`)}`,
  )
  const names = pictures.map((_, index) => `picture${index}`)
  return [
    ...imports,
    `export const pictures = [${names.join(', ')}]`,
    `export const content = ${JSON.stringify(content)}`,
  ].join('\n')
}

/** The guides of docs/users, then the documents that they link to, by path below docs and without `.md`. */
function listGuides(): readonly string[] {
  const linked = startingGuides.flatMap((path) => {
    const text = readFileSync(fileOf(path), 'utf8')
    return [...text.matchAll(/\]\(([\w./-]+)\.md/gu)].map(([, target = '']) => resolvePath(path, target))
  })
  return [...new Set([...startingGuides, ...linked.toSorted()])]
}

function fileOf(path: string): string {
  return join(docs, `${path}.md`)
}

function resolvePath(from: string, target: string): string {
  return relative(docs, resolve(dirname(fileOf(from)), target))
}

export function parseGuide(path: string): ParsedGuide {
  const known = listGuides()
  const pictures: string[] = []
  const sections: GuideSection[] = []
  const converter = createConverter({
    findLink: (href) => toHelpLink(path, href, known),
    addPicture(href) {
      const file = resolvePath(path, href)
      pictures.push(file)
      return { src: String(pictures.length - 1), ...readSize(file) }
    },
  })
  const tokens = marked.lexer(readFileSync(fileOf(path), 'utf8').replaceAll(/<!--.*?-->/gsu, ''))
  const heading = tokens.find((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 1)
  for (const token of tokens)
    if (token.type === 'heading' && token.depth === 2)
      sections.push({ id: anchorOf(token.text as string), title: plainText(token) })
  const content = tokens.filter((token) => token !== heading).flatMap(converter)
  return { title: heading === undefined ? path : plainText(heading), sections, content, pictures }
}

/** The size of a PNG, so that a picture that loads later moves no text. */
function readSize(file: string): GuideAttributes {
  const header = readFileSync(join(docs, file)).subarray(16, 24)
  return { width: String(header.readUInt32BE(0)), height: String(header.readUInt32BE(4)) }
}

/** Null if the target is not a guide: then the text stands without a link. */
function toHelpLink(from: string, href: string, known: readonly string[]): GuideAttributes | null {
  if (/^https?:/u.test(href)) return { href }
  const [, file = '', section = ''] = /^([^#]*)(?:#(.*))?$/u.exec(href) ?? []
  const path = file === '' ? from : resolvePath(from, file.replace(/\.md$/u, ''))
  const isGuide = (file === '' || file.endsWith('.md')) && known.includes(path) && existsSync(fileOf(path))
  return isGuide ? { guide: section === '' ? path : `${path}#${section}` } : null
}

interface References {
  readonly findLink: (href: string) => GuideAttributes | null
  readonly addPicture: (href: string) => GuideAttributes
}

function createConverter({ findLink, addPicture }: References): (token: Token) => readonly GuideNode[] {
  const convertAll = (tokens: readonly Token[] = []): GuideNode[] => tokens.flatMap(convert)
  return convert

  function convert(token: Token): readonly GuideNode[] {
    switch (token.type) {
      case 'heading':
        return [[`h${token['depth']}`, { id: anchorOf(token['text'] as string) }, ...convertAll(token['tokens'])]]
      case 'link': {
        const link = findLink(token['href'] as string)
        const text = convertAll(token['tokens'])
        return link === null ? text : [['a', link, ...text]]
      }
      case 'image':
        return [['img', { ...addPicture(token['href'] as string), alt: token['text'] as string }]]
      case 'list':
        return [[token['ordered'] === true ? 'ol' : 'ul', {}, ...(token as Tokens.List).items.flatMap(convert)]]
      case 'table':
        return [convertTable(token as Tokens.Table, convertAll)]
      case 'code':
        return [['pre', {}, ['code', {}, token['text'] as string]]]
      case 'codespan':
        return [['code', {}, token['text'] as string]]
      case 'space':
        return []
      default:
        return convertContainer(token, convertAll)
    }
  }
}

/** Elements of Markdown that only contain others. */
const containers: Readonly<Record<string, string>> = {
  paragraph: 'p',
  list_item: 'li',
  strong: 'strong',
  em: 'em',
  blockquote: 'blockquote',
  br: 'br',
}

function convertContainer(token: Token, convertAll: (tokens?: readonly Token[]) => GuideNode[]): readonly GuideNode[] {
  const name = containers[token.type]
  const tokens = 'tokens' in token ? token.tokens : undefined
  if (name !== undefined) return [[name, {}, ...convertAll(tokens)]]
  return tokens === undefined ? [plainText(token)] : convertAll(tokens)
}

function convertTable(
  { header, rows }: Tokens.Table,
  convertAll: (tokens: readonly Token[]) => GuideNode[],
): GuideNode {
  const toRow = (name: 'th' | 'td') => (cells: readonly Tokens.TableCell[]) =>
    ['tr', {}, ...cells.map((cell): GuideNode => [name, {}, ...convertAll(cell.tokens)])] as const
  return ['table', {}, ['thead', {}, toRow('th')(header)], ['tbody', {}, ...rows.map(toRow('td'))]]
}

function plainText(token: Token): string {
  const { tokens, text = '' } = token as { readonly tokens?: readonly Token[]; readonly text?: string }
  return tokens === undefined ? text : tokens.map(plainText).join('')
}

/** The anchor that GitHub generates for a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
