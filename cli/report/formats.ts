import { reportJson } from "./report-json.ts"
import { reportMarkdown } from "./report-markdown.ts"
import { reportText } from "./report-text.ts"

/** The printers of reports, by the name of their format. */
export const reportFormats = { text: reportText, json: reportJson, markdown: reportMarkdown }
