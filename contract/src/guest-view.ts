/**
 * Guest views: replies for an organisation that another one shares a connector with. Every visible field is declared;
 * all others are dropped. Settings, the owner's people, log lines and messages that may name a server are withheld: the
 * field stays, so that the reply fits the full schema, but without its value.
 */
import * as z from 'zod'

/** Replaces a value that may be null. */
export const withheld = z.null()

/** Replaces a list by an empty one. */
export const withheldList = z.array(z.never())

/** Replaces an error message. With `.nullable()`, null stays null. */
export const withheldNotice = z.literal('The organisation that shares this connector can see what went wrong.')

type SchemaShape = z.core.$ZodShape
type Replacements<S extends SchemaShape, Shown> = {
  readonly [Name in Exclude<keyof S, Shown>]?: z.ZodType<z.output<S[Name]>>
}

/**
 * Builds the guest's schema of an object, in the order of its fields.
 * @param shown fields that a guest sees unchanged. Fields that contain objects need a guest view of their own in
 * `replaced`.
 * @param replaced fields with another schema for guests
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
