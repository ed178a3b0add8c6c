/** A plain web server: files of one folder, whole or in ranges. It knows of no key. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import send from "send";

/** @param folder what it gives; `index.html` under `/` */
export function staticServer(folder: string): Server {
  return createServer((request, response) => {
    sendFile(folder, new URL(request.url ?? "/", "http://localhost").pathname, request, response);
  });
}

/** Answers a request with one file of a folder, or says that there is none. */
export function sendFile(
  folder: string,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  send(request, path, { root: folder })
    .on("error", ({ status }: { status: number }) => response.writeHead(status).end(`${status}\n`))
    .pipe(response);
}
