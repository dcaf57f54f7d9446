/** What of a package is never read when the server runs. A test looks through what stays for references to what went. */

/** Wherever it lies: Node runs no TypeScript within a package. Licences stay: they ask to be passed on with what they cover. */
const endings = /\.(?:map|ts|[cm]ts|md|markdown|tsbuildinfo|flow|html|o|a|gyp|gypi|cc|h)$/iu
const licence = /(?:^|\/)(?:licen[cs]e|notice|copying|authors|third.?party)[^/]*$/iu

/** At the top of a package. */
const folders =
  /^(?:test|tests|__tests__|spec|docs?|examples?|benchmarks?|bench|coverage|scripts|\.github|\.vscode|man|website|fixtures)\//iu

/** For browsers and other surroundings than Node. */
const surroundings = /^(?:dist|build|lib)\/(?:browser|react-native|workerd|umd|esnext|amd|global|cjs-browser)\//u

/** Of single packages, each with its reason. */
const single = [
  // Sources beside what was built of them; their `exports` name them for one condition of their authors’ only.
  { of: /\/zod$/u, what: /^src\//u },
  { of: /\/@js-joda\/core$/u, what: /^(?:src|typings)\/|^dist\/js-joda\.(?:min|cjs|esm)\./u },
  {
    of: /\/(?:luxon|tedious|@simplewebauthn\/server|csv-parse|@noble\/[^/]+|@scure\/[^/]+|nodemailer)$/u,
    what: /^src\//u,
  },
  { of: /\/lru-cache$/u, what: /^dist\/(?:esm|commonjs)\/browser\//u },
]

/** @param place of the package, such as `node_modules/zod` @param path within it, with slashes */
export function isNeedless(place, path) {
  if (licence.test(path) && !/\.(?:[cm]?js|ts)$/u.test(path)) return false
  if (endings.test(path) || folders.test(path) || surroundings.test(path)) return true
  return single.some(({ of, what }) => of.test(`/${place}`) && what.test(path))
}
