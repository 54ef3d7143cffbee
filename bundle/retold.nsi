; Retold for one person, without an administrator. MADE is the folder that has the bundle.
Target amd64-unicode
SetCompressor /SOLID lzma
RequestExecutionLevel user
Name "Retold"
OutFile "${MADE}/Retold-setup.exe"
InstallDir "$LOCALAPPDATA\Programs\Retold"
InstallDirRegKey HKCU "Software\Retold" "folder"

Page directory
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

!define LISTED "Software\Microsoft\Windows\CurrentVersion\Uninstall\Retold"

Section
  ; A new version takes the whole place of the old one.
  RMDir /r "$INSTDIR\_internal"
  SetOutPath "$INSTDIR"
  File /r "${MADE}/retold/*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Retold.lnk" "$INSTDIR\retold.exe"
  WriteRegStr HKCU "Software\Retold" "folder" "$INSTDIR"
  WriteRegStr HKCU "${LISTED}" "DisplayName" "Retold"
  WriteRegStr HKCU "${LISTED}" "DisplayIcon" "$INSTDIR\retold.exe"
  WriteRegStr HKCU "${LISTED}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegDWORD HKCU "${LISTED}" "NoModify" 1
  WriteRegDWORD HKCU "${LISTED}" "NoRepair" 1
SectionEnd

Section "Uninstall"
  ; Only what was installed: campaigns are elsewhere, and somebody may have put files of their own here.
  RMDir /r "$INSTDIR\_internal"
  RMDir /r "$INSTDIR\licences"
  Delete "$INSTDIR\retold.exe"
  Delete "$INSTDIR\README.txt"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Retold.lnk"
  DeleteRegKey HKCU "Software\Retold"
  DeleteRegKey HKCU "${LISTED}"
SectionEnd
