/**
 * Incoming webhooks of Slack over HTTP, as strict as Slack documents them: the addresses, the layout of blocks, their
 * lengths and the codes of refusals.
 */
import * as z from 'zod'
import { type ChatReceiver, startChatReceiver } from './chat-receiver.ts'

const plainText = (max: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(max), emoji: z.boolean().optional() })
const markup = (max: number) =>
  z.strictObject({ type: z.literal('mrkdwn'), text: z.string().min(1).max(max), verbatim: z.boolean().optional() })

const Block = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('header'), text: plainText(150) }),
  z.strictObject({ type: z.literal('section'), text: z.union([plainText(3_000), markup(3_000)]) }),
  z.strictObject({
    type: z.literal('context'),
    elements: z
      .array(z.union([plainText(2_000), markup(2_000)]))
      .min(1)
      .max(10),
  }),
  z.strictObject({ type: z.literal('divider') }),
])

const SlackMessage = z.strictObject({
  text: z.string().max(40_000).optional(),
  blocks: z.array(Block).max(50).optional(),
  unfurl_links: z.boolean().optional(),
  unfurl_media: z.boolean().optional(),
})
export type SlackMessage = z.infer<typeof SlackMessage>

/** Undocumented; larger ones are refused with `msg_blocks_too_long`. */
const blocksMax = 13_000

export interface SimulatedSlack extends ChatReceiver {
  /** The address of a webhook that posts to `#alerts`. */
  readonly url: string
  /** The messages in the channel, oldest first. */
  readonly posted: SlackMessage[]
}

const path = '/services/T0000TEST/B0000TEST/canarySlackToken0000000'

export async function startSlack(port?: number): Promise<SimulatedSlack> {
  const posted: SlackMessage[] = []
  const refuse = (status: number, body: string) => ({ status, body })
  const receiver = await startChatReceiver(({ path: requested, headers, body, method }) => {
    if (!requested.startsWith('/services/')) return refuse(404, '<html>404</html>')
    if (requested !== path) return refuse(404, 'no_service')
    if (method !== 'POST' || headers['content-type'] !== 'application/json') return refuse(400, 'invalid_payload')
    const json = parseJson(body)
    if (json === undefined) return refuse(400, 'invalid_payload')
    const { success, data } = SlackMessage.safeParse(json)
    if (!success) return refuse(400, 'invalid_blocks')
    if (data.text === undefined && data.blocks === undefined) return refuse(400, 'no_text')
    if (JSON.stringify(data.blocks ?? []).length > blocksMax) return refuse(400, 'msg_blocks_too_long')
    posted.push(data)
    return { status: 200, headers: { 'content-type': 'text/html' }, body: 'ok' }
  }, port)
  const { clear } = receiver
  return Object.assign(receiver, {
    url: `${receiver.origin}${path}`,
    posted,
    clear() {
      clear()
      posted.length = 0
    },
  })
}

/** The texts that people see of a message, in their order. */
export function slackTexts({ blocks = [] }: SlackMessage): readonly string[] {
  return blocks.flatMap((block) => {
    if (block.type === 'divider') return []
    return block.type === 'context' ? block.elements.map(({ text }) => text) : [block.text.text]
  })
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
