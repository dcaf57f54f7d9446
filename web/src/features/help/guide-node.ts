/** The form of a guide, as `web/plugins/guides.ts` makes it from Markdown. */

/** An element: its name, its attributes, its content. */
export type GuideNode = string | readonly [name: string, attributes: GuideAttributes, ...content: GuideNode[]]
export type GuideAttributes = Readonly<Record<string, string>>

export interface GuideSection {
  readonly id: string
  readonly title: string
}
