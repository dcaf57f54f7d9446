/** Locales to choose from: of the languages and regions that most accounting and commerce systems support. */
export const locales: readonly string[] = [
  'ar-AE ar-EG ar-SA bg-BG bn-BD ca-ES cs-CZ cy-GB da-DK de-AT de-CH de-DE el-GR en-AU en-CA en-GB en-HK en-IE',
  'en-IN en-KE en-MY en-NZ en-PH en-SG en-US en-ZA es-AR es-CL es-CO es-ES es-MX es-PE es-US et-EE eu-ES fa-IR',
  'fi-FI fil-PH fr-BE fr-CA fr-CH fr-FR ga-IE gl-ES he-IL hi-IN hr-HR hu-HU id-ID is-IS it-CH it-IT ja-JP ko-KR',
  'lt-LT lv-LV mi-NZ ms-MY mt-MT nb-NO nl-BE nl-NL pl-PL pt-BR pt-PT ro-RO ru-RU sk-SK sl-SI sr-RS sv-FI sv-SE',
  'sw-KE ta-IN th-TH tr-TR uk-UA ur-PK vi-VN zh-CN zh-HK zh-TW',
].flatMap((line) => line.split(' '))
