/**
 * What a guest sees: an organisation that another one shares a connector with. Each reply that a guest gets is declared field
 * by field; a field that is not declared is dropped. Settings, the owner's people, log lines and sentences that may name a
 * server are withheld: the reply keeps such a field, so that it fits the schema of the full reply, without its value.
 */
import * as z from 'zod'

/** Replaces a value that may be null. */
export const withheld = z.null()

/** Replaces a list by an empty one. */
export const withheldList = z.array(z.never())

/** Replaces a sentence about what went wrong. With `.nullable()` null stays null. */
export const withheldNotice = z.literal('Whoever shares this connector sees what went wrong.')

type SchemaShape = z.core.$ZodShape
type Replacements<S extends SchemaShape, Shown> = {
  readonly [Name in Exclude<keyof S, Shown>]?: z.ZodType<z.output<S[Name]>>
}

/**
 * The schema of what a guest sees of an object, in the order of its fields.
 * @param shown fields that a guest sees as everybody does. A field that holds objects is not among them: its objects need views of their own.
 * @param replaced fields that a guest sees by another schema
 */
export function guestView<
  const S extends SchemaShape,
  const Shown extends keyof S & string,
  const R extends Replacements<S, Shown>,
>(full: z.ZodObject<S>, shown: readonly Shown[], replaced: R): z.ZodObject<Pick<S, Shown> & R> {
  const names = new Set<string>(shown)
  const fields = Object.entries({ ...full.shape, ...replaced }).filter(
    ([name]) => names.has(name) || Object.hasOwn(replaced, name),
  )
  return z.object(Object.fromEntries(fields)) as unknown as z.ZodObject<Pick<S, Shown> & R>
}
