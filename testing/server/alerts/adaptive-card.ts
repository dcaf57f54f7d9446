/**
 * The rules of the published JSON schema of Adaptive Cards 1.4 for the elements that a webhook may post to Teams. As there,
 * unknown properties and unknown elements are errors.
 */
import * as z from 'zod'

const Colors = z.enum(['default', 'dark', 'light', 'accent', 'good', 'warning', 'attention'])
const Spacing = z.enum(['default', 'none', 'small', 'medium', 'large', 'extraLarge', 'padding'])
const HorizontalAlignment = z.enum(['left', 'center', 'right'])

const element = {
  id: z.string().optional(),
  isVisible: z.boolean().optional(),
  separator: z.boolean().optional(),
  spacing: Spacing.optional(),
  height: z.enum(['auto', 'stretch']).optional(),
  fallback: z.literal('drop').optional(),
  requires: z.record(z.string(), z.string()).optional(),
}

const font = {
  text: z.string(),
  color: Colors.optional(),
  fontType: z.enum(['default', 'monospace']).optional(),
  isSubtle: z.boolean().optional(),
  size: z.enum(['default', 'small', 'medium', 'large', 'extraLarge']).optional(),
  weight: z.enum(['default', 'lighter', 'bolder']).optional(),
}

const TextRun = z.strictObject({
  type: z.literal('TextRun'),
  ...font,
  highlight: z.boolean().optional(),
  italic: z.boolean().optional(),
  strikethrough: z.boolean().optional(),
  underline: z.boolean().optional(),
})

const RichTextBlock = z.strictObject({
  type: z.literal('RichTextBlock'),
  inlines: z.array(TextRun),
  horizontalAlignment: HorizontalAlignment.optional(),
  ...element,
})

const TextBlock = z.strictObject({
  type: z.literal('TextBlock'),
  ...font,
  horizontalAlignment: HorizontalAlignment.optional(),
  maxLines: z.number().optional(),
  wrap: z.boolean().optional(),
  ...element,
})

const FactSet = z.strictObject({
  type: z.literal('FactSet'),
  facts: z.array(z.strictObject({ title: z.string(), value: z.string() })),
  ...element,
})

const OpenUrl = z.strictObject({
  type: z.literal('Action.OpenUrl'),
  url: z.url(),
  title: z.string().optional(),
  iconUrl: z.string().optional(),
  style: z.enum(['default', 'positive', 'destructive']).optional(),
})

export const AdaptiveCard = z.strictObject({
  type: z.literal('AdaptiveCard'),
  $schema: z.url().optional(),
  version: z.literal('1.4'),
  body: z.array(z.discriminatedUnion('type', [RichTextBlock, TextBlock, FactSet])).optional(),
  actions: z.array(OpenUrl).optional(),
  fallbackText: z.string().optional(),
  lang: z.string().length(2).optional(),
  speak: z.string().optional(),
  minHeight: z.string().optional(),
  verticalContentAlignment: z.enum(['top', 'center', 'bottom']).optional(),
})
export type AdaptiveCard = z.infer<typeof AdaptiveCard>
