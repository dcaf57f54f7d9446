/** Files of packages that the server never reads at run time. A test checks that no remaining file refers to them. */

/** In any folder. Node does not run TypeScript inside packages. Licence files stay, because they must be distributed. */
const endings = /\.(?:map|ts|[cm]ts|md|markdown|tsbuildinfo|flow|html|o|a|gyp|gypi|cc|h)$/iu
const licence = /(?:^|\/)(?:licen[cs]e|notice|copying|authors|third.?party)[^/]*$/iu

/** Top-level folders of a package. */
const folders =
  /^(?:test|tests|__tests__|spec|docs?|examples?|benchmarks?|bench|coverage|scripts|\.github|\.vscode|man|website|fixtures)\//iu

/** Builds for browsers and other platforms than Node. */
const platforms = /^(?:dist|build|lib)\/(?:browser|react-native|workerd|umd|iife|esnext|amd|global|cjs-browser)\//u

/** Rules for single packages. */
const single = [
  // Sources next to their build output. Their `exports` name them only for a development condition.
  { of: /\/zod$/u, what: /^src\//u },
  { of: /\/@js-joda\/core$/u, what: /^(?:src|typings)\/|^dist\/js-joda\.(?:min|cjs|esm)\./u },
  {
    of: /\/(?:luxon|tedious|@simplewebauthn\/server|csv-parse|@noble\/[^/]+|@scure\/[^/]+|nodemailer)$/u,
    what: /^src\//u,
  },
  // The client, the adapters of web frameworks, and what is not for `import`.
  {
    of: /\/@modelcontextprotocol\/sdk$/u,
    what: /^dist\/(?:cjs|esm\/(?:client|examples|server\/auth|server\/middleware))\/|^dist\/esm\/server\/(?:express|sse|stdio|streamableHttp)\.js$/u,
  },
  // Names of attributes that may change, which only the entry `incubating` offers.
  { of: /\/@opentelemetry\/semantic-conventions$/u, what: /^dist\/(?:experimental_|index-incubating)/u },
  // For a web framework that the server does not use.
  { of: /\/altcha-lib$/u, what: /^dist\/(?:cjs|esm)\/v2\/frameworks\/hono\./u },
  // Builds for `require` and for browsers. The server imports the others.
  { of: /\/nodemailer$/u, what: /^dist\/cjs\//u },
  { of: /\/csv-parse$/u, what: /^dist\//u },
  { of: /\/yaml$/u, what: /^browser\//u },
  { of: /\/pngjs$/u, what: /^browser\.js$/u },
  { of: /\/@zxcvbn-ts\/[^/]+$/u, what: /^src\/|^dist\/zxcvbn-ts\.js$/u },
  { of: /\/@zxcvbn-ts\/language-common$/u, what: /\.mjs$/u },
  { of: /\/lru-cache$/u, what: /^dist\/(?:esm|commonjs)\/browser\//u },
]

/**
 * True for a file that production does not need.
 * @param place path of the package, such as `node_modules/zod`
 * @param path path within the package, with slashes
 */
export function isExcluded(place, path) {
  if (licence.test(path) && !/\.(?:[cm]?js|ts)$/u.test(path)) return false
  if (endings.test(path) || folders.test(path) || platforms.test(path)) return true
  return single.some(({ of, what }) => of.test(`/${place}`) && what.test(path))
}
