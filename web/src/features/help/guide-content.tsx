/** Renders a guide. Its links to sections and other guides stay in the help. */
import { createElement, type ReactNode } from 'react'
import type { GuideNode } from './guide-node.ts'
import css from './help.module.css'
import { type HelpLinks, openInPlace } from './help-links.ts'

interface GuideContentProps extends HelpLinks {
  readonly content: readonly GuideNode[]
  /** The addresses of the pictures. */
  readonly pictures: readonly string[]
}

export function GuideContent(props: GuideContentProps) {
  return <div className={css.guide}>{renderAll(props.content, props)}</div>
}

/** The id of a section. The prefix keeps it different from the ids of the page. */
export function sectionId(id: string): string {
  return `guide-${id}`
}

function renderAll(nodes: readonly GuideNode[], props: GuideContentProps): ReactNode[] {
  // A guide never changes, so that positions are stable keys.
  return nodes.map((node, index) => renderNode(node, String(index), props))
}

function renderNode(node: GuideNode, key: string, props: GuideContentProps): ReactNode {
  if (typeof node === 'string') return node
  const [name, attributes, ...content] = node
  const children = renderAll(content, props)
  if (name === 'a') return renderLink(attributes, key, { ...props, children })
  if (name === 'img') {
    const { src, alt = '', ...size } = attributes
    return (
      <img key={key} className={css.picture} src={props.pictures[Number(src)]} alt={alt} loading="lazy" {...size} />
    )
  }
  if (name === 'table')
    return (
      <div key={key} className={css.table}>
        <table>{children}</table>
      </div>
    )
  // Headings are below the title of the drawer.
  const level = /^h(?<level>\d)$/u.exec(name)?.groups?.['level']
  if (level === undefined) return createElement(name, { key }, ...children)
  return createElement(
    `h${Number(level) + 1}`,
    { key, id: sectionId(attributes['id'] ?? ''), tabIndex: -1 },
    ...children,
  )
}

function renderLink(
  { guide, href }: Readonly<Record<string, string>>,
  key: string,
  { linkTo, onOpen, children }: HelpLinks & { readonly children: ReactNode },
): ReactNode {
  if (guide === undefined)
    return (
      <a key={key} href={href} target="_blank" rel="noreferrer">
        {children}
      </a>
    )
  return (
    <a key={key} href={linkTo(guide)} onClick={(event) => openInPlace(event, () => onOpen(guide))}>
      {children}
    </a>
  )
}
