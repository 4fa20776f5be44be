/* Syncs the file that it has inherited by the number of its descriptor. */
#include <stdlib.h>
#include <unistd.h>

int main(int count, char** words) { return count == 2 && fdatasync(atoi(words[1])) == 0 ? 0 : 1; }
