/* git.exe for Node.js under Wine, where no Git for Windows can be had: sends its arguments, folder, GIT_* variables and
 * standard input to git-server.ts on the host, and prints what comes back. A frame is a 32-bit length and bytes. */
#include <winsock2.h>
#include <windows.h>
#include <shellapi.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static SOCKET host;

static void sendAll(const char *bytes, int left) {
  while (left > 0) {
    int sent = send(host, bytes, left, 0);
    if (sent <= 0) ExitProcess(97);
    bytes += sent;
    left -= sent;
  }
}

static void sendFrame(const char *bytes, unsigned length) {
  sendAll((char *)&length, 4);
  sendAll(bytes, length);
}

static int receive(char *bytes, int wanted) {
  int got = 0;
  while (got < wanted) {
    int more = recv(host, bytes + got, wanted - got, 0);
    if (more <= 0) break;
    got += more;
  }
  return got == wanted;
}

static DWORD WINAPI feed(LPVOID unused) {
  static char chunk[65536];
  DWORD length;
  HANDLE input = GetStdHandle(STD_INPUT_HANDLE);
  while (ReadFile(input, chunk, sizeof chunk, &length, 0) && length > 0) sendFrame(chunk, length);
  sendFrame("", 0);
  return 0;
}

static void sendText(const wchar_t *text) { /* as UTF-8 */
  static char bytes[65536];
  int length = WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes, sizeof bytes, 0, 0);
  sendFrame(bytes, length > 0 ? length - 1 : 0);
}

int main(void) {
  int count;
  wchar_t **arguments = CommandLineToArgvW(GetCommandLineW(), &count);
  WSADATA data;
  WSAStartup(0x202, &data);
  host = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {0};
  const char *port = getenv("GIT_SHIM_PORT");
  address.sin_family = AF_INET;
  address.sin_port = htons(port ? atoi(port) : 39417);
  address.sin_addr.s_addr = htonl(0x7f000001);
  if (connect(host, (struct sockaddr *)&address, sizeof address)) {
    fprintf(stderr, "git shim: no server\n");
    return 96;
  }
  wchar_t folder[4096];
  GetCurrentDirectoryW(4096, folder);
  unsigned total = count;
  sendAll((char *)&total, 4);
  sendText(folder);
  for (int i = 1; i < count; i++) sendText(arguments[i]);
  for (wchar_t *entry = GetEnvironmentStringsW(); *entry; entry += wcslen(entry) + 1)
    if (!wcsncmp(entry, L"GIT_", 4)) sendText(entry);
  sendFrame("", 0);
  CreateThread(0, 0, feed, 0, 0, 0);
  for (;;) {
    unsigned head[2]; /* 1 stdout, 2 stderr and a length, or 0 and the exit status */
    if (!receive((char *)head, 8)) ExitProcess(95);
    if (head[0] == 0) ExitProcess(head[1]);
    char *bytes = malloc(head[1]);
    if (!receive(bytes, head[1])) ExitProcess(94);
    HANDLE output = GetStdHandle(head[0] == 1 ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE);
    for (DWORD written, done = 0; done < head[1]; done += written)
      if (!WriteFile(output, bytes + done, head[1] - done, &written, 0)) break;
    free(bytes);
  }
}
